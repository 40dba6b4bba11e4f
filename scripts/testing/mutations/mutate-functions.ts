import type { TestProject } from 'vitest/node';
import { editFunction, isOfDatabase, type SourceEdit } from '../../../e2e/simulate/kernel/code.ts';
import { inDatabase, withConnection } from '../../stack/database.ts';
import { TEMPLATE_DATABASE } from '../postgres-for-tests.ts';

/** Puts the bug that `SWITCHYARD_MUTATION` has into the database that each suite's own is a copy of, where it is in one of its functions. */
export default async function setup(project: TestProject): Promise<void> {
  const { SWITCHYARD_MUTATION = 'null' } = process.env;
  const edit: SourceEdit | null = JSON.parse(SWITCHYARD_MUTATION);
  if (edit === null || !isOfDatabase(edit)) return;
  const { adminDatabaseUrl } = project.getProvidedContext();
  await withConnection(inDatabase(adminDatabaseUrl, TEMPLATE_DATABASE), (client) => client.query(editFunction(edit)));
}
