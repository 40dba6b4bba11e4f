import { Moment } from '#/components/time/moment.tsx';
import type { KeyRow } from './keys-table.tsx';

/** How much a key is used, as sentences. */
export function KeyUse({ of: { lastUsedAt, requestsInWeek } }: { of: KeyRow }) {
  if (lastUsedAt === null) return <>It has never been used.</>;
  return (
    <>
      It was last used <Moment value={lastUsedAt} />, with {requestsInWeek.toLocaleString('en')}{' '}
      {requestsInWeek === 1 ? 'request' : 'requests'} in the last seven days.
    </>
  );
}
