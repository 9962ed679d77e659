"""Parquet files: measured by what they say of themselves before any column is made of them."""

import io
from typing import Any

from replicast.errors import install_line, invalid
from replicast.reading.limits import HERE, LimitError, Limits
from replicast.reading.sheets import Sheet, sheet_of


def read_parquet(raw: bytes, name: str, limits: Limits = HERE) -> Sheet:
    """Read a Parquet file; one text that a million rows share stays one until its length is known."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        remedy = f"Run {install_line('files')}, or write the table as CSV"
        got = f"{name}, a Parquet file, without the package pyarrow"
        raise invalid("source", "a file that can be read here", got, remedy) from None
    try:
        file = pq.ParquetFile(io.BytesIO(raw))
        _require_size(file.metadata, name, limits)
        texts = [field.name for field in file.schema_arrow if _is_text(field.type)]
        table = pq.ParquetFile(io.BytesIO(raw), read_dictionary=texts).read()
        for column in texts:
            _require_texts(table.column(column), name, limits)
        plain = pa.schema([file.schema_arrow.field(k) for k in range(len(file.schema_arrow))])
        frame = table.cast(plain.with_metadata(file.schema_arrow.metadata)).to_pandas()
    except (MemoryError, LimitError):
        raise
    except Exception as error:  # damaged metadata make pandas and pyarrow raise anything
        first = (str(error).splitlines() or [type(error).__name__])[0].rstrip(".")
        raise invalid("source", "an intact Parquet file", f"{name}: {first}") from None
    return sheet_of(frame, name)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    kinds = pa.types.is_string, pa.types.is_large_string, pa.types.is_binary
    return any(is_one(kind) for is_one in kinds)


def _require_size(told: Any, name: str, limits: Limits) -> None:
    """Refuse more values or bytes than a table may have; lists count by what is in them."""
    limits.require_shape(int(told.num_rows), int(told.num_columns), name)
    groups = [told.row_group(k) for k in range(told.num_row_groups)]
    parts = [group.column(k) for group in groups for k in range(group.num_columns)]
    limits.require("cells", sum(int(part.num_values) for part in parts), name)
    limits.require("unpacked", sum(int(part.total_uncompressed_size) for part in parts), name)


def _require_texts(column: Any, name: str, limits: Limits) -> None:
    """Refuse texts that are too long, or that take too many bytes once every row has its own."""
    import pyarrow.compute as pc

    whole = 0
    for chunk in column.chunks:
        chunk.dictionary.validate(full=True)  # texts are UTF-8
        lengths = pc.binary_length(chunk.dictionary)
        limits.require("cell", pc.max(lengths).as_py() or 0, name)
        whole += pc.sum(pc.take(lengths, chunk.indices)).as_py() or 0
    limits.require("unpacked", whole, name)
