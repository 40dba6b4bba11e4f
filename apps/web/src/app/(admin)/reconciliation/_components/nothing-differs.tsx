import Link from 'next/link';
import { Empty } from '../../../../components/empty/empty.tsx';
import type { DifferenceKind } from '../../../../copy/differences.ts';
import { KIND_WORDS, type Run } from '../../../../copy/differences.ts';
import type { STANDINGS } from '../filters.ts';

/** There is no account whose list could be read. */
export function NothingConnected() {
  return (
    <Empty title="No account to compare with" action={<Link href="/gateways">Connect a gateway</Link>}>
      Every night each connected account’s payments and refunds are compared with the gateway’s own list. Connect an account
      first.
    </Empty>
  );
}

/** No difference is in the list: because both sides agree, because of the filters, or because nothing was compared. */
export function NothingDiffers({
  standing,
  kind,
  runs,
}: {
  standing: (typeof STANDINGS)[number];
  kind: DifferenceKind | null;
  runs: readonly Run[];
}) {
  const compared = runs.filter(({ comparedAt }) => comparedAt !== null).length;
  if (compared === 0) {
    return (
      <Empty title="Nothing has been compared on these days yet">
        A day is compared four hours after its midnight, and once more after three days for what came late. To compare one sooner,
        choose its cell above and press “Compare now”.
      </Empty>
    );
  }
  const settled = runs.reduce((sum, run) => sum + run.settled, 0);
  const what = `${standing === 'all' ? '' : `${standing} `}differences`;
  return (
    <Empty title={kind === null ? `No ${what}` : `No ${what} of the kind “${KIND_WORDS[kind].word}”`}>
      {compared.toLocaleString('en')} {compared === 1 ? 'day was' : 'days were'} compared.
      {standing === 'open' && settled > 0 && ` ${settled.toLocaleString('en')} settled differences are kept under “Settled”.`}
    </Empty>
  );
}
