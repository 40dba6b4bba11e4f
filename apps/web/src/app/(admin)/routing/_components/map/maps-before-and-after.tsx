'use client';

import { useState } from 'react';
import type { LiveRouting } from '../queries/live-routing.ts';
import type { RuleDocument } from '../rules/document.ts';
import { CoverageMap } from './coverage-map.tsx';
import { MapScope, useMapScope } from './map-scope.tsx';
import classes from './maps-before-and-after.module.css';

/** Which rule decides which payment, in force and under the draft. */
export function MapsBeforeAndAfter({ draft, live }: { draft: RuleDocument; live: LiveRouting }) {
  const scope = useMapScope(draft, live.accounts);
  const { version } = live.ruleSet;
  return (
    <section aria-labelledby="maps" className={classes.maps}>
      <h2 id="maps" className={classes.title}>
        Map before and after
      </h2>
      <MapScope {...scope} />
      <div className={classes.both}>
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
    <div className={classes.one}>
      <h3 className={classes.subtitle}>{title}</h3>
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
