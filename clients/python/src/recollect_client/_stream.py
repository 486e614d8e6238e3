"""Events of streamed answers (server-sent events, HTML Standard, section 9.2)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Dict, Generic, List, Literal, Optional, Type, TypeVar, Union

from ._errors import ConnectionFailedError, to_error
from ._model import Model
from .models import Citation

Answer = TypeVar("Answer", bound=Model)


@dataclass
class TokenEvent:
    """A part of the text."""

    text: str
    type: Literal["token"] = "token"


@dataclass
class CitationEvent:
    """A citation of the text so far."""

    citation: Citation
    type: Literal["citation"] = "citation"


@dataclass
class DoneEvent(Generic[Answer]):
    """The end, with the whole answer."""

    answer: Answer
    type: Literal["done"] = "done"


AnswerEvent = Union[TokenEvent, CitationEvent, DoneEvent[Answer]]


class EventReader(Generic[Answer]):
    """Collects lines to events. Both transports feed it."""

    def __init__(self, answer: Type[Answer]) -> None:
        self._answer = answer
        self._event = ""
        self._data: List[str] = []

    def feed(self, line: str) -> Optional[AnswerEvent[Answer]]:
        """The event that the line ends, if any. Raises the error of an ``error`` event."""
        if line != "":
            field, _, value = line.partition(":")
            value = value[1:] if value.startswith(" ") else value
            if field == "event":
                self._event = value
            elif field == "data":
                self._data.append(value)
            return None
        event, data = self._event, "\n".join(self._data)
        self._event, self._data = "", []
        return None if data == "" else self._to_event(event, json.loads(data), data)

    def _to_event(
        self, event: str, data: Dict[str, Any], text: str
    ) -> Optional[AnswerEvent[Answer]]:
        if event == "token":
            return TokenEvent(data["text"])
        if event == "citation":
            return CitationEvent(Citation.model_validate(data))
        if event == "done":
            return DoneEvent(self._answer.model_validate(data))
        if event == "error":
            raise to_error(502, text)
        return None


def interrupted() -> ConnectionFailedError:
    """The error of a stream that ends without its last event."""
    return ConnectionFailedError(
        "The answer was interrupted.",
        code="broken_off",
        status=0,
        remedy="Ask again. The text received so far is incomplete.",
    )
