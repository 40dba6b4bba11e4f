-- True where rows of all merchants may be in one statement. `switchyard-admin database distribute` replaces it.
CREATE OR REPLACE FUNCTION rows_share_a_node() RETURNS BOOLEAN LANGUAGE sql IMMUTABLE AS 'SELECT true';

-- What a copy of the rows does not share with the database that they were copied from: the server's system identifier, its timeline (a restore
-- to a moment and a promotion begin another), and the numbers of the database and of a table (a dump is read into others). No part needs
-- more than the right to connect; one that a managed server does not tell is left out.
CREATE OR REPLACE FUNCTION database_identity() RETURNS TEXT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  identifier TEXT := '-';
  timeline TEXT := '-';
BEGIN
  BEGIN
    SELECT system_identifier::text INTO identifier FROM pg_control_system();
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR undefined_function THEN NULL;
  END;
  BEGIN
    timeline := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR undefined_function OR object_not_in_prerequisite_state THEN
    BEGIN
      SELECT lpad(to_hex(timeline_id), 8, '0') INTO timeline FROM pg_control_checkpoint();
    EXCEPTION WHEN feature_not_supported OR insufficient_privilege OR undefined_function THEN NULL;
    END;
  END;
  RETURN concat_ws('.', identifier, timeline, (SELECT oid FROM pg_database WHERE datname = current_database()),
    to_regclass('database_epoch')::oid);
END $$;
