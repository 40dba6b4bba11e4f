import type { ShadowReport } from './use-shadow.ts';

/** Payments that a draft in shadow would have moved, split by how they ended. */
export function MovesTable({
  moves,
  nameOf,
}: {
  moves: ShadowReport['summary']['moves'];
  nameOf: (accountId: string | null) => string;
}) {
  return (
    <div className="relative max-w-[900px] mt-2 mb-5 overflow-x-auto">
      <table className="figures-table whitespace-nowrap [--row:36px]">
        <caption className="sr-only">Payments that change their first account, by outcome</caption>
        <thead>
          <tr>
            <th scope="col">Moves</th>
            <th scope="col">Payments</th>
            <th scope="col">Succeeded</th>
            <th scope="col">Failed</th>
            <th scope="col">Pending</th>
          </tr>
        </thead>
        <tbody>
          {moves.map(({ from, to, payments, outcomes }) => (
            <tr key={`${from}>${to}`}>
              <th scope="row">
                {nameOf(from)} → {nameOf(to)}
              </th>
              <td>{payments.toLocaleString('en')}</td>
              <td>{outcomes.paid.toLocaleString('en')}</td>
              <td>{outcomes.unpaid.toLocaleString('en')}</td>
              <td>{outcomes.open.toLocaleString('en')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
