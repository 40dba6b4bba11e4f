import { defineConfig } from 'prisma/config';

const databaseUrl = process.env.DATABASE_URL;

export default defineConfig({
  // Every `.prisma` file below it: the generators, and the models by feature.
  schema: 'prisma',
  migrations: { path: 'prisma/migrations' },
  // Generating the client needs no database, so its absence is only an error for the commands that do.
  ...(databaseUrl ? { datasource: { url: databaseUrl } } : {}),
});
