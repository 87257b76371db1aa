"""Whatever is sent to the API, by its description or against it, gets an answer that this promises."""

import pytest
from fakes import RaceEvaluator

pytest.importorskip("fastapi")
pytest.importorskip("schemathesis")

import schemathesis
from hypothesis import HealthCheck, settings
from starlette.testclient import TestClient

from nardzero.game.rules import RULESETS
from nardzero.play.agents import EvaluatorAgent
from nardzero.web.app import create_app
from nardzero.web.bots import Bots

pytestmark = pytest.mark.slow

APP = create_app(Bots(EvaluatorAgent(RaceEvaluator(), "judge", RULESETS["standard"])), hosts=None)
API = schemathesis.openapi.from_asgi("/openapi.json", APP)
# That a bot or a position of the right form can still be unknown is more than a description can say. A POST
# that is not JSON is refused before its address is looked at, and a 405 names the methods of one route only.
TOO_MUCH = [
    schemathesis.checks.positive_data_acceptance,
    schemathesis.checks.unsupported_method,
    schemathesis.checks.allow_header_conformance,
]


@API.parametrize()
@settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
def test_every_answer_is_one_that_is_promised(case):
    """A documented status with JSON of the documented form, and never a broken server."""
    if "room_id" in case.path_parameters:
        case.path_parameters["room_id"] = TestClient(APP).post("/api/sessions", json={}).json()["id"]
    case.call_and_validate(excluded_checks=TOO_MUCH)
