-- Import profiles that accounts keep: how the columns of a foreign sheet become a sample's. Each change adds a version;
-- removed ones are remembered for a while, so that a later one of the same name counts on.
create table import_profile (
  account int not null references account (id),
  name text collate "C" not null,
  version int not null,
  shared boolean not null default false,
  document text not null,
  created bigint not null,
  removed bigint,
  primary key (account, name, version)
);
create index import_profile_shared on import_profile (name) where shared;
