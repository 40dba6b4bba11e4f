import type { Resources } from './resources.ts';

/**
 * Runs a read whose context's database is one read-only snapshot: all that it reads is of one moment, so that what is shown together
 * belongs together. Reads called within it may ask for a snapshot too: they get the same. Throws as `Snapshots.inSnapshot` does.
 */
export function inSnapshot<Context extends { readonly resources: Pick<Resources, 'database'> }, Answer>(
  context: Context,
  read: (context: Context) => Promise<Answer>,
): Promise<Answer> {
  const { resources } = context;
  return resources.database.inSnapshot((snapshot) => {
    const database = {
      ...resources.database,
      ...snapshot,
      inSnapshot: <T>(nested: (own: typeof snapshot) => Promise<T>) => nested(snapshot),
    };
    return read({ ...context, resources: { ...resources, database } });
  });
}
