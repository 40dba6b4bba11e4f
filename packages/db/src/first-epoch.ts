/**
 * Begins the first epoch of a new database, before it has rows that could be lost. Does nothing in one that has begun any: a restored copy
 * begins its own when it is first used.
 */
export const BEGIN_FIRST_EPOCH = `
INSERT INTO database_epoch (identity, began_at)
SELECT database_identity(), to_timestamp(0) WHERE NOT EXISTS (SELECT FROM database_epoch)`;
