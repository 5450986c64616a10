"""The human study: blind judgments and annotations in the browser, durable, with their design on record."""

from expound.study.packages import need_study_packages

need_study_packages()

from expound.study.design.blinding import check_blinding
from expound.study.design.collected import Collected, Earlier
from expound.study.design.form import YES_NO, Field, Form, FormExport, Option, Problem, scale, sides
from expound.study.design.form_table import find_form, form_names
from expound.study.design.items import Item, SystemAnswer, View
from expound.study.design.making import ItemSources, make_study
from expound.study.engine.backup import back_up
from expound.study.engine.intake import ForeignAnswer, take_in
from expound.study.engine.opened import Study, open_study
from expound.study.engine.sent_answers import read_earlier
from expound.study.out.analyzing import analyze_source, analyze_study, write_analysis
from expound.study.out.exports import export_file, export_text
from expound.study.out.foreign_answers import import_answers
from expound.study.out.judgments import judgments_of
from expound.study.out.label_studio import read_annotations
from expound.study.out.masked_filling import masked_test
from expound.study.out.monitor import look_at, status_of
from expound.study.out.published_studies import make_published
from expound.study.out.sheet import read_sheet
from expound.study.web.serving import links, listen, listen_for_all, mount_studies, serve_studies, serve_study

__all__ = [
    "YES_NO",
    "Collected",
    "Earlier",
    "Field",
    "ForeignAnswer",
    "Form",
    "FormExport",
    "Item",
    "ItemSources",
    "Option",
    "Problem",
    "Study",
    "SystemAnswer",
    "View",
    "analyze_source",
    "analyze_study",
    "back_up",
    "check_blinding",
    "export_file",
    "export_text",
    "find_form",
    "form_names",
    "import_answers",
    "judgments_of",
    "links",
    "listen",
    "listen_for_all",
    "look_at",
    "make_published",
    "make_study",
    "masked_test",
    "mount_studies",
    "open_study",
    "read_annotations",
    "read_earlier",
    "read_sheet",
    "scale",
    "serve_studies",
    "serve_study",
    "sides",
    "status_of",
    "take_in",
    "write_analysis",
]
