-- What became of the sheet's columns (JSON), and how many samples became public or were so from the start.
alter table submission add column columns text;
alter table submission add column become_public integer not null default 0;
alter table submission add column created_public integer not null default 0;
