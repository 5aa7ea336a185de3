-- Samples of an account that not everybody may see: few, or all of a sheet that waits for its release.
create index entry_closed on entry (account) where open = 0;
