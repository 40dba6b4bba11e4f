import Link from 'next/link';
import { describeMonth } from '#/copy/accounting.ts';
import { hrefIn } from '#/scope/scope.ts';
import { useScope } from '#/scope/use-scope.ts';
import type { Report } from '../report.ts';

const NAMED = 6;

/** Says that a report has closed months in it, whose figures here go on changing. */
export function ClosedMonths({ months }: { months: Report['closedMonths'] }) {
  const scope = useScope();
  if (months.length === 0) return null;
  const named = months.slice(0, NAMED);
  return (
    <p className="mb-4 max-w-[90ch] text-sm text-ink-quiet">
      Closed:{' '}
      {named.map(({ month, merchant }, at) => (
        <span key={`${month} ${merchant?.id}`}>
          {at > 0 && ', '}
          <Link href={hrefIn({ ...scope, merchantId: merchant?.id ?? scope.merchantId }, `/month-close/${month}`)}>
            {describeMonth(month)}
            {scope.merchantId === null && merchant !== null && ` of ${merchant.name}`}
          </Link>
        </span>
      ))}
      {months.length > named.length && ` and ${months.length - named.length} more`}. This report has what is known now, which
      changes when something arrives late; the frozen figures of a closed month do not.
    </p>
  );
}
