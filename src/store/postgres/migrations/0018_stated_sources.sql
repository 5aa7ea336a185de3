-- Samples that say of another one that it is the source of a relationship with them are found by that from now on: those
-- that may say so go through the index once more.
insert into change (account, first, count, logged)
select account, id, 1, true
from sample
where (layout is null and position('"source":' in doc) > 0)
  or id in (select l.sample from curation_link l join curation c on c.hash = l.curation where position('"source":' in c.lists) > 0)
order by id;
