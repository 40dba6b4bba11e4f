import { handleGraphql } from '@switchyard/api/graphql';
import { processSwitchyard } from '@switchyard/api/process';
import { headers } from 'next/headers';
import { publicUrl } from '../../../server/public-url.ts';
import { readAnswer } from './_components/read-answer.ts';
import type { toVariables } from './filters.ts';
import type { Report } from './report.ts';

/** The report as the page asks for it, without the way over the network, in the name of whoever asks for the page. */
export async function askInProcess(operation: string, variables: ReturnType<typeof toVariables>): Promise<Report> {
  const question = { extensions: { persistedQuery: { version: 1, sha256Hash: operation } }, variables };
  const { body } = await handleGraphql(processSwitchyard(), {
    ...{ method: 'POST', path: '/api/graphql', query: '' },
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      cookie: (await headers()).get('cookie') ?? '',
      origin: publicUrl(),
    },
    body: { kind: 'bytes', bytes: Buffer.from(JSON.stringify(question)) },
  });
  return readAnswer(JSON.parse(body));
}
