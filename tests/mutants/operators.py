"""Small changes to a module, each of which a good test should notice."""

import ast
import copy
from collections.abc import Callable, Iterator
from typing import NamedTuple

_SWAPPED_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.MatMult: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_OTHER_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_TWINS = (
    ("min", "max"),
    ("minimum", "maximum"),
    ("floor", "ceil"),
    ("any", "all"),
    ("zeros", "ones"),
    ("zeros_like", "ones_like"),
)
_SWAPPED_NAMES = {a: b for pair in _TWINS for a, b in (pair, pair[::-1])}
_LARGE = 1e4  # adding 1 to a number like 1e100 changes nothing; it is doubled and halved
_TYPE_NAMES = {"NDArray", "Literal", "Callable", "tuple", "list", "set", "ParamSpec", "TypeVar"}


class Mutant(NamedTuple):
    """One change: where it is, the line before and after, and the changed module."""

    function: str
    line: int
    old: str
    new: str
    tree: ast.Module


class _Site(NamedTuple):
    node: ast.AST
    function: str


def mutants(source: str) -> Iterator[Mutant]:
    """Yield every mutant of a module in the order of its lines."""
    tree = ast.parse(source)
    lines = source.splitlines()
    for site in _sites(tree, ""):
        for changed in _changes(site.node):
            yield Mutant(
                site.function or "module",
                site.node.lineno,
                *_texts(lines, site.node, changed),
                _replaced(tree, site.node, changed),
            )


def _sites(node: ast.AST, function: str) -> Iterator[_Site]:
    """Yield what may be changed: no annotations, decorators, docstrings, types or imports."""
    for child in _children(node):
        inside = function
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inside = f"{function}.{child.name}".lstrip(".")
        if hasattr(child, "lineno"):
            yield _Site(child, inside)
        yield from _sites(child, inside)


def _children(node: ast.AST) -> Iterator[ast.AST]:
    skipped: list[object] = []
    if isinstance(node, ast.FunctionDef):
        skipped += [*node.decorator_list, node.returns]
    if isinstance(node, ast.arg | ast.AnnAssign):
        skipped.append(node.annotation)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "cast":
        skipped.append(node.args[0])
    for child in ast.iter_child_nodes(node):
        if child in skipped or isinstance(child, ast.Import | ast.ImportFrom) or _is_text(child):
            continue
        if isinstance(child, ast.Assign) and _is_type(child.value):
            continue
        yield child


def _is_text(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )


def _is_type(node: ast.AST) -> bool:
    inner = node.value if isinstance(node, ast.Subscript) else getattr(node, "func", None)
    return isinstance(inner, ast.Name) and inner.id in _TYPE_NAMES


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    change = _CHANGES.get(type(node))
    if change is not None:
        yield from change(node)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _arithmetic(node: ast.BinOp) -> Iterator[ast.AST]:
    yield _with(node, op=_SWAPPED_OPERATORS[type(node.op)]())


def _in_place(node: ast.AugAssign) -> Iterator[ast.AST]:
    yield _with(node, op=_SWAPPED_OPERATORS[type(node.op)]())
    target = ast.parse(ast.unparse(node.target), mode="eval").body
    target.ctx = ast.Store()
    yield ast.Assign(targets=[target], value=node.value)
    yield ast.Pass()


def _comparison(node: ast.Compare) -> Iterator[ast.AST]:
    for i, operator in enumerate(node.ops):
        for other in _OTHER_COMPARISONS[type(operator)]:
            yield _with(node, ops=[*node.ops[:i], other(), *node.ops[i + 1 :]])


def _connection(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield _with(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And())


def _sign(node: ast.UnaryOp) -> Iterator[ast.AST]:
    yield node.operand


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    value = node.value
    if isinstance(value, bool):
        yield ast.Constant(not value)
    elif isinstance(value, int | complex) and not isinstance(value, float):
        yield ast.Constant(value + 1)
        yield ast.Constant(value - 1)
    elif isinstance(value, float):
        large = abs(value) > _LARGE
        yield ast.Constant(value * 2 if large else value + 1)
        yield ast.Constant(value / 2 if large else value - 1)
    elif isinstance(value, str):
        yield ast.Constant(f"XX{value}XX")


def _call(node: ast.Call) -> Iterator[ast.AST]:
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    if name in _SWAPPED_NAMES:
        field = "attr" if isinstance(node.func, ast.Attribute) else "id"
        yield _with(node, func=_with(node.func, **{field: _SWAPPED_NAMES[name]}))
    for keyword in node.keywords:
        yield _with(node, keywords=[other for other in node.keywords if other is not keyword])
    if len(node.args) == 1 and not isinstance(node.args[0], ast.Starred | ast.GeneratorExp):
        yield node.args[0]


def _choice(node: ast.If | ast.While | ast.IfExp) -> Iterator[ast.AST]:
    if not isinstance(node.test, ast.Compare | ast.BoolOp | ast.Constant):
        yield _with(node, test=ast.UnaryOp(ast.Not(), node.test))


def _result(node: ast.Return) -> Iterator[ast.AST]:
    if node.value is not None and ast.unparse(node.value) != "None":
        yield _with(node, value=ast.Constant(None))


def _statement(node: ast.Expr) -> Iterator[ast.AST]:
    yield ast.Pass()


def _assignment(node: ast.Assign) -> Iterator[ast.AST]:
    if all(isinstance(target, ast.Subscript) for target in node.targets):
        yield ast.Pass()


def _jump(node: ast.Break | ast.Continue) -> Iterator[ast.AST]:
    yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()


_CHANGES: dict[type[ast.AST], Callable[..., Iterator[ast.AST]]] = {
    ast.BinOp: _arithmetic,
    ast.AugAssign: _in_place,
    ast.Compare: _comparison,
    ast.BoolOp: _connection,
    ast.UnaryOp: _sign,
    ast.Constant: _constant,
    ast.Call: _call,
    ast.If: _choice,
    ast.While: _choice,
    ast.IfExp: _choice,
    ast.Return: _result,
    ast.Expr: _statement,
    ast.Assign: _assignment,
    ast.Break: _jump,
    ast.Continue: _jump,
}


def _replaced(tree: ast.Module, node: ast.AST, changed: ast.AST) -> ast.Module:
    """Return a copy of the tree with one node replaced; the rest is shared."""

    def rebuild(current: ast.AST) -> ast.AST:
        if current is node:
            return ast.copy_location(copy.copy(changed), node)
        fields = {}
        for name, value in ast.iter_fields(current):
            if isinstance(value, ast.AST):
                new: object = rebuild(value) if value in path else value
            elif isinstance(value, list):
                new = [rebuild(v) if isinstance(v, ast.AST) and v in path else v for v in value]
            else:
                new = value
            fields[name] = new
        return _with(current, **fields)

    path = _path(tree, node)
    whole = rebuild(tree)
    assert isinstance(whole, ast.Module)
    return ast.fix_missing_locations(whole)


def _path(tree: ast.AST, node: ast.AST) -> set[ast.AST]:
    """Return the nodes from the root to one node."""
    if tree is node:
        return {tree}
    for child in ast.iter_child_nodes(tree):
        found = _path(child, node)
        if found:
            return {tree} | found
    return set()


def _texts(lines: list[str], node: ast.AST, changed: ast.AST) -> tuple[str, str]:
    """Return the lines of a node before and after the change, on one line each."""
    first, last = node.lineno - 1, node.end_lineno - 1
    start, end = node.col_offset, node.end_col_offset
    text = _unparsed(changed)
    if isinstance(node, ast.Call | ast.UnaryOp) and isinstance(
        changed, ast.BinOp | ast.Compare | ast.BoolOp | ast.IfExp
    ):
        text = f"({text})"
    head = lines[first].encode()[:start].decode()
    tail = lines[last].encode()[end:].decode()
    if isinstance(node, ast.If | ast.While):
        return _one_line(lines[first]), _one_line(text.splitlines()[0])
    old = "\n".join(lines[first : last + 1])
    return _one_line(old), _one_line(head + text + tail)


def _unparsed(node: ast.AST) -> str:
    return ast.unparse(ast.fix_missing_locations(copy.deepcopy(node)))


def _one_line(text: str) -> str:
    return " ".join(text.split())
