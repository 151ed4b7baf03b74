# The postgres image runs this once, in an empty database: an owner that migrates, and a role for the service that owns nothing.
# See docs/operating/running.md, "Your own PostgreSQL". The passwords are hexadecimal, so they need no quoting.
psql -v ON_ERROR_STOP=1 --username postgres <<SQL
create role sluice login password '$(cat /run/secrets/owner-password)';
create role sluice_service login password '$(cat /run/secrets/service-password)';
create database sluice owner sluice;
SQL
