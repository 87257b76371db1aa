"""Tests keep what they compute away from the cache of the person who runs them."""

import pytest

from nardzero.judge.bearoff.cache import VARIABLE


@pytest.fixture(scope="session", autouse=True)
def _cache_of_its_own(tmp_path_factory):
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(VARIABLE, str(tmp_path_factory.mktemp("cache")))
        yield
