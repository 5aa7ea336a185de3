-- Relationships of samples whose targets are names that nobody had yet (relationships=later). `submission` and `line` opened
-- it; `place` is its position among those that the row says. With `target`, `completed_by` gave the sample that relationship.
create table open_relationship (
  sample integer not null,
  type text not null,
  name text not null,
  account integer not null references account (id),
  submission integer not null,
  line integer not null,
  place integer not null,
  target integer,
  completed_by integer,
  primary key (sample, type, name)
) strict, without rowid;
create index open_relationship_waiting on open_relationship (account, name, sample, type) where target is null;
create index open_relationship_known on open_relationship (account, name) where target is not null;
create index open_relationship_submission on open_relationship (submission, sample, type, name) where target is null;
create index open_relationship_completed on open_relationship (completed_by) where completed_by is not null;
