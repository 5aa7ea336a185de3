-- Samples that say of another one that it is the source of a relationship with them are found by that from now on: those
-- that may say so go through the index once more.
insert into change (first, count, at, account)
select id, 1, cast(unixepoch('subsec') * 1000 as integer), account
from sample
where (layout is null and instr(doc, '"source":') > 0)
  or id in (select l.sample from curation_link l join curation c on c.hash = l.curation where instr(c.lists, '"source":') > 0)
order by id;
