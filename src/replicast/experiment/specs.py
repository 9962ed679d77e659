"""Estimators by name or by a written call; nothing is evaluated as code."""

import ast
import re
from importlib import import_module
from typing import Any

from replicast.errors import InvalidArgumentError, invalid, nearest

NAMED = {
    "naive-bayes": "replicast.learners:MixedNaiveBayes()",
    "c45": "replicast.learners:C45Classifier()",
    "nearest-neighbour": "replicast.learners:NearestNeighbour()",
    "gaussian-bayes": "sklearn.naive_bayes:GaussianNB()",
    "1-nn": "sklearn.neighbors:KNeighborsClassifier(n_neighbors=1)",
    "3-nn": "sklearn.neighbors:KNeighborsClassifier(n_neighbors=3)",
    "svm": "sklearn.pipeline:make_pipeline(sklearn.preprocessing:StandardScaler(), sklearn.svm:SVC())",
    "tree": "replicast.learners:CartClassifier()",
    "forest": "sklearn.ensemble:RandomForestClassifier()",
    "logistic": "sklearn.pipeline:make_pipeline("
    "sklearn.preprocessing:StandardScaler(), sklearn.linear_model:LogisticRegression())",
    "majority": "sklearn.dummy:DummyClassifier()",
}
_ALLOWED = ("sklearn.", "replicast.learners")
_EXAMPLE = 'Write a name such as c45, or "sklearn.svm:SVC(C=10)"'


def read_estimator(text: str, argument: str = "first") -> Any:
    """Build an estimator from a name or a spec such as `sklearn.svm:SVC(C=10)`.

    Only classes of scikit-learn and of `replicast.learners` can be named, and arguments are plain
    values or further specs; the text is parsed, never run.

    Examples
    --------
    >>> read_estimator("sklearn.svm:SVC(C=10)")
    SVC(C=10)
    >>> read_estimator("c45")
    C45Classifier()
    """
    spec = NAMED.get(text.strip(), text.strip())
    if ":" not in spec:
        names = tuple(NAMED)
        domain = f"one of {', '.join(names)}, or module:Class(...)"
        raise invalid(argument, domain, repr(text), nearest(text, names) or _EXAMPLE)
    try:
        tree = ast.parse(_as_call(spec), mode="eval").body
        found = _build(tree, argument)
    except (SyntaxError, ValueError) as error:
        if isinstance(error, InvalidArgumentError):
            raise
        raise invalid(argument, "a readable estimator", repr(text), _EXAMPLE) from None
    if not callable(getattr(found, "fit", None)) or not callable(getattr(found, "predict", None)):
        raise invalid(argument, "an estimator that can fit and predict", repr(text), _EXAMPLE)
    return found


def _as_call(spec: str) -> str:
    """Turn `a.b:C` into `a.b.C`, outside of string literals, and add missing brackets."""
    call = re.sub(r"""("[^"]*"|'[^']*')|:""", lambda found: found[1] or ".", spec)
    return call if call.endswith(")") else f"{call}()"


def _build(node: ast.expr, argument: str) -> Any:
    match node:
        case ast.Call(func=ast.Attribute() as func, args=args, keywords=keywords):
            target = _lookup(func, argument)
            options = {str(word.arg): _build(word.value, argument) for word in keywords}
            try:
                return target(*(_build(part, argument) for part in args), **options)
            except TypeError as error:
                reason = str(error).splitlines()[0]
                raise invalid(
                    argument, "an estimator that can be built", reason, _EXAMPLE
                ) from None
        case ast.List(elts=parts):
            return [_build(part, argument) for part in parts]
        case ast.Tuple(elts=parts):
            return tuple(_build(part, argument) for part in parts)
        case _:
            return ast.literal_eval(node)


def _lookup(func: ast.Attribute, argument: str) -> Any:
    path = ast.unparse(func)
    module, _, name = path.rpartition(".")
    if not module.startswith(_ALLOWED) or "_" in (name[:1], *(p[:1] for p in module.split("."))):
        raise invalid(
            argument, "a class of scikit-learn or of replicast.learners", repr(path), _EXAMPLE
        )
    try:
        found = getattr(import_module(module), name, None)
    except ImportError:
        found = None
    allowed = isinstance(found, type) or name in ("make_pipeline", "make_union")
    if found is None or not allowed:
        raise invalid(argument, "a class that exists", repr(f"{module}:{name}"), _EXAMPLE)
    if isinstance(found, type) and not hasattr(found, "get_params"):
        raise invalid(argument, "an estimator class", repr(f"{module}:{name}"), _EXAMPLE)
    return found
