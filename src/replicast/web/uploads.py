"""The body of a request: read into memory within limits, never to disk."""

import base64
import binascii
import re
import zlib
from collections import Counter
from collections.abc import AsyncGenerator, Iterable
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import FormData, UploadFile
from starlette.formparsers import MultiPartException, MultiPartParser
from starlette.requests import ClientDisconnect, Request

from replicast.errors import InvalidArgumentError, invalid
from replicast.reading.limits import MB, PAGE
from replicast.web.mistakes import Mistake, MistakesError

LARGEST_BODY = (
    PAGE.packed * 3 // 2
)  # a table carried along in a form takes a third more than its bytes
PASTED = "pasted table"
_LONGEST_LINK = 6_000  # characters; servers and browsers take 8,000 and more
_LONGEST_PACKED = 50 * _LONGEST_LINK  # characters that could ever be packed into it
_MOST_FILES = 200
_MOST_FIELDS = 500
_OURS = re.compile(r"file \d{1,3}")  # folders that `_distinct` made, in a form that comes back


class TooLargeError(MistakesError):
    """More came than is taken."""


class _InMemoryParser(MultiPartParser):
    spool_max_size = LARGEST_BODY + 1  # beyond it Starlette would write to disk; nothing is longer


def too_large() -> TooLargeError:
    """Return the refusal of a body or a table beyond the limit."""
    remedy = "Use the command line for it"
    text = str(invalid("table", f"at most {PAGE.packed // MB} MB", "more", remedy))
    return TooLargeError([Mistake("table", text)])


async def _limited(request: Request) -> AsyncGenerator[bytes, None]:
    """Yield the body; one that is too long is read to its end, kept nowhere, and refused."""
    length = 0
    async for chunk in request.stream():
        length += len(chunk)
        if length <= LARGEST_BODY:
            yield chunk
    if length > LARGEST_BODY:
        raise too_large()


async def read_form(request: Request) -> FormData:
    """Return the fields and files of a posted form."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    try:
        if kind == "multipart/form-data":
            parser = _InMemoryParser(
                request.headers,
                _limited(request),
                max_files=_MOST_FILES,
                max_fields=_MOST_FIELDS,
                max_part_size=LARGEST_BODY,
            )
            return await parser.parse()
        if kind == "application/x-www-form-urlencoded":
            body = b"".join([chunk async for chunk in _limited(request)])
            text = body.decode("utf-8", "replace")
            pairs = parse_qsl(text, keep_blank_values=True, max_num_fields=_MOST_FIELDS)
            return FormData([*pairs])
    except (MultiPartException, KeyError, UnicodeDecodeError, ValueError) as error:
        got = str(getattr(error, "message", "") or "one that cannot be read").rstrip(".")
        raise _no_form(got) from None
    except ClientDisconnect:
        raise _no_form("half of one") from None
    raise _no_form(repr(kind[:60]) if kind else "nothing")


def pack_form(fields: Iterable[tuple[str, str]]) -> str:
    """Return the fields of a form as a part of an address, or nothing where it would be too long."""
    text = urlencode([*fields])
    if len(text) > _LONGEST_PACKED:  # not worth a try
        return ""
    packed = zlib.compress(text.encode(), 9)
    text = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return text if len(text) <= _LONGEST_LINK else ""


def unpack_form(text: str) -> FormData:
    """Return the form that an address carries."""
    try:
        packed = base64.b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
        stream = zlib.decompressobj()
        body = stream.decompress(packed, LARGEST_BODY).decode()
        if not stream.eof:
            raise ValueError(text)
        return FormData([*parse_qsl(body, True, True, max_num_fields=_MOST_FIELDS)])
    except (binascii.Error, zlib.error, ValueError):
        remedy = "Copy the whole link, or paste the table"
        raise invalid("table", "carried by a whole link", "a part of one", remedy) from None


def _no_form(got: str) -> InvalidArgumentError:
    return invalid(
        "table", "a form (multipart/form-data or application/x-www-form-urlencoded)", got
    )


async def read_tables(form: FormData) -> dict[str, bytes]:
    """Return the files of a form by name: new ones, a pasted table, or those carried along."""
    tables = await _uploaded(form) or _pasted(form) or _kept(form)
    if sum(len(raw) for _, raw in tables) > PAGE.packed:
        raise too_large()
    if not tables:
        remedy = "Paste one, or choose a file"
        raise invalid("table", "a table of scores", "nothing", remedy)
    return _distinct(tables)


async def _uploaded(form: FormData) -> list[tuple[str, bytes]]:
    sent = [
        one for one in (*form.getlist("files"), form.get("table")) if isinstance(one, UploadFile)
    ]
    chosen = [upload for upload in sent if upload.filename or upload.size]
    return [(_base(upload.filename or "table"), await upload.read()) for upload in chosen]


def _pasted(form: FormData) -> list[tuple[str, bytes]]:
    pasted = form.get("table")
    if not isinstance(pasted, str) or not pasted.strip():
        return []
    return [(PASTED, pasted.encode("utf-8", "replace"))]


def _kept(form: FormData) -> list[tuple[str, bytes]]:
    names = map(str, form.getlist("kept_name"))
    kept = zip(names, form.getlist("kept"), strict=False)
    return [(_base(name), _carried(str(text))) for name, text in kept]


def _distinct(files: list[tuple[str, bytes]]) -> dict[str, bytes]:
    """Put files of one name into folders that exist in their names only."""
    count = Counter(name for name, _ in files)
    return {
        name if count[name] == 1 else f"file {place}/{name}": raw
        for place, (name, raw) in enumerate(files, start=1)
    }


def _carried(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        raise invalid("table", "as the form sent it along", "something else") from None


def _base(name: str) -> str:
    """Return a printable file name without folders, short enough for a sentence."""
    place, _, last = name.replace("\\", "/").rpartition("/")
    printable = "".join(letter if letter.isprintable() else " " for letter in last).strip()
    own = printable[-80:].lstrip(".") or "table"
    return f"{place}/{own}" if _OURS.fullmatch(place) else own
