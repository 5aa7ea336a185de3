-- Relationships of samples whose targets are names that nobody had yet (relationships=later). `submission` and `line` opened
-- it; `place` is its position among those that the row says. With `target`, `completed_by` gave the sample that relationship.
create table open_relationship (
  sample bigint not null,
  type text collate "C" not null,
  name text collate "C" not null,
  account int not null references account (id),
  submission bigint not null,
  line int not null,
  place int not null,
  target bigint,
  completed_by bigint,
  primary key (sample, type, name)
);
create index open_relationship_waiting on open_relationship (account, name, sample, type) where target is null;
create index open_relationship_known on open_relationship (account, name) where target is not null;
create index open_relationship_submission on open_relationship (submission, sample, type, name) where target is null;
create index open_relationship_completed on open_relationship (completed_by) where completed_by is not null;
