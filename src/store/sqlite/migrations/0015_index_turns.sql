-- Who made a change, so that accounts have turns in the search index; 0 for a change of an earlier version's process.
alter table change add column account integer not null default 0;
update change set account = coalesce((select s.account from sample s where s.id = change.first), 0);
create index change_account on change (account, seq);
