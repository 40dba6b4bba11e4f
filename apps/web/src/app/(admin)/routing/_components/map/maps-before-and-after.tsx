'use client';

import { useState } from 'react';
import type { LiveRouting } from '../queries/use-routing.ts';
import type { RuleDocument } from '../rules/document.ts';
import { CoverageMap, MapScope, useMapScope } from './coverage-map.tsx';

/** Which rule decides which payment, in force and under the draft. */
export function MapsBeforeAndAfter({ draft, live }: { draft: RuleDocument; live: LiveRouting }) {
  const scope = useMapScope(draft, live.accounts);
  const { version } = live.ruleSet;
  return (
    <section aria-labelledby="maps" className="mb-7">
      <h2 id="maps" className="mb-2.5 text-lg font-semibold tracking-[-0.005em]">
        Map before and after
      </h2>
      <MapScope {...scope} />
      <div className="grid grid-cols-1 gap-x-8 gap-y-5 min-[1700px]:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
        <One
          title={version === 0 ? 'Now: no rules' : `Now: version ${version}`}
          document={live.ruleSet}
          live={live}
          scope={scope}
        />
        <One title={`After: version ${version + 1}`} document={draft} live={live} scope={scope} />
      </div>
    </section>
  );
}

function One({
  title,
  document,
  live,
  scope: { currency, country },
}: {
  title: string;
  document: RuleDocument;
  live: LiveRouting;
  scope: ReturnType<typeof useMapScope>;
}) {
  const [lit, setLit] = useState<string | null>(null);
  return (
    <div className="min-w-0">
      <h3 className="mb-1.5 text-ink-quiet text-sm font-medium">{title}</h3>
      <CoverageMap
        document={document}
        accounts={live.accounts}
        currency={currency}
        country={country}
        lit={lit}
        onLight={setLit}
        picked={null}
        onPick={() => undefined}
        hint="Point at a cell to see which rule decides."
      />
    </div>
  );
}
