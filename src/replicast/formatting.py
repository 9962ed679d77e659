"""Numbers as people read and type them: percent, p-values, differences, counts."""

import math
import re
from collections.abc import Sequence

_PLAIN_DECIMALS = 6  # more are written with a power of ten, where they begin with zeros
_SMALL, _LARGE = 1e-4, 1e12
_ROUND_OFF = 1e-9  # of a number: a narrower interval is one number
_FINER = 7  # decimals more, to tell a value from a limit
LEFT_OUT = "Left out "  # begins what is said of rows that were not used, which no answer hides


def format_pvalue(pvalue: float, digits: int = 3) -> str:
    """Write a p-value as journals do, with so many decimals.

    Examples
    --------
    >>> format_pvalue(0.0367), format_pvalue(0.0003), format_pvalue(1.0)
    ('p = 0.037', 'p < 0.001', 'p = 1')
    """
    least = 10.0**-digits
    if pvalue < least:
        return f"p < {least:.{digits}f}"
    if pvalue > 0.9995:
        return "p = 1"
    if 0.0495 <= pvalue < 0.0505:  # never round across the usual threshold
        return f"p = {pvalue:.5f}".rstrip("0")
    return f"p = {pvalue:.{digits}f}"


def format_number(value: float, digits: int = 3) -> str:
    """Write a number with so many significant digits and no exponent where it can be avoided.

    Examples
    --------
    >>> format_number(2.4486), format_number(-0.00012345), format_number(float("inf"))
    ('2.45', '−0.000123', 'infinite')
    """
    if math.isinf(value):
        return "infinite" if value > 0 else "−infinite"
    if math.isnan(value):
        return "undefined"
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(value)))
    if -5 <= exponent < 7:
        return f"{value:.{max(0, digits - 1 - exponent)}f}".replace("-", "−")
    return _scientific(value, digits - 1)


def _scientific(value: float, digits: int) -> str:
    """Write a number of any size with so many decimals and a power of ten: 2.0e−5."""
    mantissa, _, exponent = f"{value:.{digits}e}".partition("e")
    return f"{mantissa}e{int(exponent)}".replace("-", "−")


def format_percent(probability: float) -> str:
    """Write a probability as a whole percentage, without claiming certainty.

    Examples
    --------
    >>> format_percent(0.444), format_percent(0.9999), format_percent(0.002), format_percent(0.0)
    ('44%', 'over 99%', 'under 1%', '0%')
    """
    if probability == 0:  # not small: it cannot happen
        return "0%"
    if probability > 0.99:
        return "over 99%"
    if probability < 0.01:
        return "under 1%"
    return f"{probability * 100:.0f}%"


def format_count(count: int) -> str:
    """Write a count with thousands separated.

    Examples
    --------
    >>> format_count(21000)
    '21,000'
    """
    return f"{count:,}"


def plural(count: int, word: str) -> str:
    """Write a count with its word.

    Examples
    --------
    >>> plural(1, "dataset"), plural(1200, "dataset")
    ('1 dataset', '1,200 datasets')
    """
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def all_of(count: int, words: str) -> str:
    """Begin a sentence about all of two or more.

    Examples
    --------
    >>> all_of(2, "differences"), all_of(10, "differences")
    ('Both differences', 'All 10 differences')
    """
    return f"Both {words}" if count == 2 else f"All {count} {words}"


def format_rough(count: int) -> str:
    """Write a forecast count: from 1,000 on rounded up to two digits, since no forecast knows more.

    Examples
    --------
    >>> format_rough(66149), format_rough(840), format_rough(7000)
    ('about 67,000', '840', 'about 7,000')
    """
    if count < 1000:
        return format_count(count)
    unit = 10 ** (len(str(count)) - 2)
    return f"about {format_count(-(-count // unit) * unit)}"


def format_df(df: float | Sequence[float] | None) -> str:
    """Write degrees of freedom: `9 df`, or `10 and 5 df` for an F statistic."""
    if df is None:
        return ""
    parts = [df] if isinstance(df, int | float) else list(df)
    return (
        " and ".join(f"{part:g}" if part == int(part) else f"{part:.1f}" for part in parts) + " df"
    )


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Join words as a sentence does.

    Examples
    --------
    >>> join_words(["a", "b", "c"])
    'a, b and c'
    """
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def decimals(low: float, high: float, beside: float | None = None) -> int:
    """Return how many decimals an interval deserves: those that give its width two digits.

    If it excludes zero no end is written as zero, where two decimals more are enough for that; so it is
    with a value `beside` it, which is never written as one of the ends. Numbers too large to be written
    out have fewer than none.

    Examples
    --------
    >>> decimals(1.66, 5.65), decimals(9.2, 27.1), decimals(0.91, 1.02), decimals(0.03, 1.6)
    (1, 0, 2, 2)
    >>> decimals(0.228, 5.77, beside=0.2)
    2
    >>> decimals(2.1e-6, 9.4e-6), decimals(1e300, 2e300)
    (7, -299)
    """
    width, top = high - low, max(abs(low), abs(high))
    if not math.isfinite(width) or top == 0:
        return 1
    if width <= _ROUND_OFF * top:  # one number
        return max(1, 1 - math.floor(math.log10(top)))
    digits = 1 - math.floor(math.log10(width))
    if top < _LARGE:
        digits = max(0, digits)
    nearest = min(abs(low), abs(high)) if (low > 0) == (high > 0) else math.inf
    shown = (more for more in range(digits, max(5, digits + 3)) if round(nearest, more))
    digits = next(shown, digits)
    if beside is None or beside in (low, high):
        return digits
    finer = range(digits, digits + _FINER)
    apart = (n for n in finer if round(beside, n) not in (round(low, n), round(high, n)))
    return next(apart, digits + _FINER)


def format_signed(value: float, digits: int) -> str:
    """Write a number with so many decimals and a true minus sign, never of zero.

    Numbers that would begin with many zeros, or have more digits than anyone reads, get a power of ten.

    Examples
    --------
    >>> format_signed(-1.25, 1), format_signed(-0.01, 1)
    ('−1.2', '0.0')
    >>> format_signed(2.0147e-5, 7), format_signed(1e300, -299)
    ('2.01e−5', '1.0e300')
    """
    shown = round(value, digits)
    small = digits > _PLAIN_DECIMALS and abs(shown) < _SMALL
    if math.isfinite(shown) and shown and (small or abs(shown) >= _LARGE):
        exponent = math.floor(math.log10(abs(shown)))
        return _scientific(shown, min(max(0, exponent + digits), _PLAIN_DECIMALS))
    if small:
        return "0"
    return f"{shown + 0.0:,.{max(0, digits)}f}".replace("-", "−")


def format_rank(rank: float) -> str:
    """Write a mean rank with two decimals; a half is rounded up, as tables of ranks have it.

    Examples
    --------
    >>> format_rank(2.625), format_rank(4.375), format_rank(2.675)
    ('2.63', '4.38', '2.68')
    """
    return f"{math.floor(100 * rank + 0.5 + _ROUND_OFF) / 100:.2f}"


def format_effect(value: float) -> str:
    """Write a standardised effect with two decimals.

    Examples
    --------
    >>> format_effect(0.7069), format_effect(-0.001), format_effect(float("inf"))
    ('0.71', '0.00', 'infinite')
    """
    return f"{value:z.2f}".replace("-", "−") if math.isfinite(value) else format_number(value)


class AtMost(float):
    """A number of which no more than an upper limit was told, as in p < 0.001."""

    def __str__(self) -> str:
        return f"<{float(self)!r}"


_DASHES = str.maketrans(dict.fromkeys("−–‒‐‑－﹣", "-"))
_WITH_COMMA = re.compile(r"[-+]?\d*,\d+")
_EITHER = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")  # thousands, or three decimals
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:[,\s]\d{3})+")
_PVALUE = re.compile(r"(?:p\s*)?(<=|[<≤=])?\s*(.*)", re.IGNORECASE | re.DOTALL)
EITHER = "Write it with a decimal point, or without a comma between thousands"


def typed_number(text: str, *, whole: bool = False) -> str:
    """Write a number that was typed, or copied from a paper, as Python reads it.

    A true minus and a decimal comma are understood, and in whole numbers thousands that stand apart.
    What may be two numbers, as 1,234, is left as it is.

    Examples
    --------
    >>> typed_number("−2.9"), typed_number("2,9"), typed_number("0,125"), typed_number("1,234")
    ('-2.9', '2.9', '0.125', '1,234')
    >>> typed_number("1,234", whole=True)
    '1234'
    """
    plain = text.strip().translate(_DASHES)
    if whole:
        return re.sub(r"[,\s]", "", plain) if _THOUSANDS.fullmatch(plain) else plain
    if _WITH_COMMA.fullmatch(plain) and not _EITHER.fullmatch(plain):
        return plain.replace(",", ".")
    return plain


def typed_pvalue(text: str) -> tuple[str, bool]:
    """Return a typed p-value as Python reads it, and whether it is an upper limit.

    Examples
    --------
    >>> typed_pvalue("<0.001"), typed_pvalue("p = ,03")
    (('0.001', True), ('.03', False))
    """
    found = _PVALUE.fullmatch(text.strip())
    mark, plain = ("", text) if found is None else found.groups()
    return typed_number(plain), mark not in (None, "", "=")
