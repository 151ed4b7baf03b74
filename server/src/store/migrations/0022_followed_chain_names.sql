-- Which chain a gate's id stands for in this database: a network may be simulated here and real elsewhere, and what was
-- credited on one must never be paid out on the other. Until now all were simulated.
alter table followed_chains add column chain text not null default 'simulated';
alter table followed_chains alter column chain drop default;
