"""A report that a person might write, for the scripted writer: an outline and the text of each section."""

from collections.abc import Sequence

from pipeline.records import Message

TITLE = "Final report: Rural Health Access 2025"
OUTLINE = """\
Executive summary
1 Introduction
2 Project context
  2.1 Target population
  2.2 Partners
3 Methodology
4 Activities carried out
5 Results and indicators
6 Budget execution
7 Lessons learned
8 Conclusions
"""
FACTS = """\
Grant agreement RHA-2025-114, 184,500 EUR
Runs from 1 February 2025 to 31 January 2026
Lead partner: Fundació Salut Rural (FSR)
Partners: Valle Alto Health District, University of Lleida
14 municipalities, 9,420 inhabitants
2,316 consultations in the mobile unit
Second vehicle delivered 11 weeks late
"""
TEXTS = {
    "Executive summary": """\
Between February 2025 and January 2026 the project brought primary care to 14 municipalities that had \
lost their permanent surgery. A mobile unit visited each of them every second week, and 2,316 \
consultations were held, 16% more than the 2,000 that had been planned.

The grant of 184,500 EUR was spent to 97.4%. The second vehicle arrived eleven weeks late, which moved \
the start in the upper valley from March to June; the visits lost were made up in the autumn. Waiting \
times for a first appointment fell from 19 days to 6.""",
    "1 Introduction": """\
This report accounts for the second year of *Rural Health Access*, funded under grant agreement \
RHA-2025-114. It follows the structure of the call and covers the period from 1 February 2025 to 31 \
January 2026.

The first year had shown that distance, more than the lack of staff, kept people from seeing a doctor: \
61% of those over 75 had no means of transport of their own. The second year therefore put the \
consultation on wheels.""",
    "2 Project context": """\
The district of Valle Alto covers 1,140 square kilometres and has one hospital, at its southern end. Of \
its 31 municipalities, 14 lie more than 40 minutes away from it by road, and in winter the pass to three \
of them is closed for 22 days on average.

Since 2019 the surgeries of these 14 municipalities have been closed one after another, as retiring \
doctors could not be replaced. The regional health plan names the area as a priority, but foresees no \
building before 2028.""",
    "2.1 Target population": """\
The 14 municipalities have 9,420 inhabitants, of whom 3,180 are over 65 and 1,205 over 80. Four groups \
were given priority:

- people over 75 who live alone (842);
- people with a chronic illness who need a check-up at least every two months (1,960);
- pregnant women and children under three (311);
- carers of dependent relatives, who rarely find time for an appointment of their own.""",
    "2.2 Partners": """\
Fundació Salut Rural (FSR) led the project and employed the team of the mobile unit. The Valle Alto \
Health District gave access to clinical records and lent the instruments, and the University of Lleida \
designed the evaluation and trained 12 interviewers.

| Partner | Role | Share of the grant |
|---|---|---:|
| Fundació Salut Rural | Coordination, mobile unit | 128,400 EUR |
| Valle Alto Health District | Records, instruments | 31,700 EUR |
| University of Lleida | Evaluation, training | 24,400 EUR |""",
    "3 Methodology": """\
Each municipality was visited **every second week**, on a fixed day announced by the town hall. A visit \
lasted five hours and was staffed by a nurse and a doctor; a social worker joined every fourth visit.

Data were collected at three moments:

1. a survey of 640 households before the first visit;
2. the consultation records, exported every month without names;
3. a second survey of the same households in December 2025, answered by 571 of them (89%).""",
}
OTHER = """\
The activities of this part went as planned in the grant agreement. Deviations are explained where they \
occurred, and the figures are those of the monthly records closed on 31 January 2026."""


def answer(messages: Sequence[Message]) -> str:
    """What the scripted writer says to a prompt: the text of the section that it asks for."""
    title = messages[1].content.rsplit("Write the section: ", 1)[-1].strip()
    return TEXTS.get(title, OTHER)
