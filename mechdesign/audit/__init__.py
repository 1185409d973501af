"""Numeric answers under Laplace noise: an audit of noise computed from the data, and its remedy."""

from mechdesign.audit.auditor import Audit as Audit
from mechdesign.audit.auditor import Outcome as Outcome
from mechdesign.audit.auditor import audit_query as audit_query
from mechdesign.audit.grid import OnGrid as OnGrid
from mechdesign.audit.grid import best_on_grid as best_on_grid
from mechdesign.audit.laplace import laplace_delta as laplace_delta
from mechdesign.audit.laplace import laplace_epsilon as laplace_epsilon
from mechdesign.audit.laplace import laplace_log_tail as laplace_log_tail
from mechdesign.audit.laplace import laplace_quantile as laplace_quantile
from mechdesign.audit.linked import Linked as Linked
from mechdesign.audit.linked import linked_query as linked_query
from mechdesign.audit.queries import QUERIES as QUERIES
from mechdesign.audit.remedy import Mended as Mended
from mechdesign.audit.remedy import Release as Release
