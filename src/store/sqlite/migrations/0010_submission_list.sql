-- For the filters of the list of submissions: by state, and by time for all accounts.
create index submission_state on submission (state, id);
create index submission_account_state on submission (account, state, id);
create index submission_created on submission (created, id);
