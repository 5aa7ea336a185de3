-- Pages of postings and blocks of columns take fewer bytes (src/store/postings/page.ts, src/store/columns/block.ts). What an index of
-- before holds is made anew from the samples.
delete from segment;
delete from posting_page;
delete from merging;
delete from name_filter;
delete from facet_block;
delete from facet_key;
delete from name_only;
delete from taken;
delete from progress;
-- Which spans have many segments of one size is asked whenever nothing waits to be indexed.
create index segment_samples on segment (span, samples);
