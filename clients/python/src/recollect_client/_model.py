"""The base of all answers."""

from __future__ import annotations

from typing import Any, Dict

from pydantic import BaseModel, ConfigDict


class Model(BaseModel):
    """An object of the API. Attributes are in snake_case, and unknown fields are kept."""

    model_config = ConfigDict(extra="allow", populate_by_name=True, protected_namespaces=())

    def to_dict(self) -> Dict[str, Any]:
        """The object with the field names of the API, as JSON values."""
        return self.model_dump(mode="json", by_alias=True, exclude_unset=True)
