import { thisProject } from '../stack/project.ts';
import { setDatabaseAside } from '../stack/set-aside.ts';

/**
 * `database set-aside`: keeps the data of `DATABASE_URL`, else of the embedded server, under another name, and says under which. The next
 * `npm start` begins with empty data. Resolves with the exit code.
 */
export async function setAside(): Promise<number> {
  const project = thisProject(process.env.SWITCHYARD_LOCAL_DIR);
  const kept = await setDatabaseAside(project, process.env.DATABASE_URL, new Date());
  if (kept === null) console.log('There is no data to set aside.');
  else
    console.log(
      `The data is kept ${kept.kind === 'folder' ? `in ${kept.path}` : `in the database ${kept.name}`}. Start anew: npm start`,
    );
  return 0;
}
