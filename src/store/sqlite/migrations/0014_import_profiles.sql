-- Import profiles that accounts keep: how the columns of a foreign sheet become a sample's. Each change adds a version;
-- removed ones are remembered for a while, so that a later one of the same name counts on.
create table import_profile (
  account integer not null references account (id),
  name text not null,
  version integer not null,
  shared integer not null default 0,
  document text not null,
  created integer not null,
  removed integer,
  primary key (account, name, version)
) strict;
create index import_profile_shared on import_profile (name) where shared = 1;
