"""The service that the tests use: RECOLLECT_URL and RECOLLECT_API_KEY name it."""

from __future__ import annotations

import os
import unittest
import uuid


def require_service() -> None:
    """Skips the tests where no service is named."""
    if not os.environ.get("RECOLLECT_URL"):
        raise unittest.SkipTest("RECOLLECT_URL names no service to test with")


def new_name() -> str:
    return f"Python {uuid.uuid4().hex[:8]}"
