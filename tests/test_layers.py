"""Imports go down only, and PyTorch stays where it belongs."""

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).resolve().parent.parent / "nardzero"
LAYERS = ["game", "model", "judge", "play", "learn", "web", "cli"]
HEAVY = {"torch", "safetensors"}


def imports(file: Path) -> set[str]:
    """The names of all modules that a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file} imports relatively"
            found.add(node.module or "")
    return found


FILES = sorted(PACKAGE.glob("*/**/*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(PACKAGE)))
def test_a_layer_imports_only_itself_and_those_below(file):
    layer = file.relative_to(PACKAGE).parts[0]
    allowed = LAYERS[: LAYERS.index(layer) + 1]
    for module in imports(file):
        top, *rest = module.split(".")
        if top == "nardzero":
            # The package itself stands above all layers but the faces; its version below all.
            assert rest, f"{layer} imports from nardzero itself"
            assert rest[0] in [*allowed, "version"], f"{layer} imports {module}"
        if top in HEAVY:
            assert layer in ("model", "learn"), f"{layer} imports {module}"


@pytest.mark.parametrize("file", sorted((PACKAGE / "game").glob("*.py")), ids=lambda file: file.name)
def test_the_rules_need_numpy_alone(file):
    import sys

    for module in imports(file):
        top = module.split(".")[0]
        assert top in {"nardzero", "numpy"} or top in sys.stdlib_module_names
