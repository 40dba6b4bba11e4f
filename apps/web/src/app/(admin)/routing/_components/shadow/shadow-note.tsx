'use client';

import { Button } from '#/components/button/button.tsx';
import classes from '../publish/publish-tab.module.css';
import { describeShadowResult, useShadow } from './use-shadow.ts';

/** Findings of the draft's shadow run, in the review of its publication; nothing where it never ran. */
export function ShadowNote({ draftId, revision, onShow }: { draftId: string; revision: number; onShow: () => void }) {
  const { data } = useShadow(draftId);
  if (data === undefined || data === null) return null;
  return (
    <section className={classes.section} aria-labelledby="shadow-note">
      <h2 id="shadow-note">
        Shadow{' '}
        <span className="ml-2 text-ink-faint text-sm font-normal">
          {data.endedAt === null
            ? 'running'
            : data.ended === 'SAVED' || data.draftRevision !== revision
              ? 'of an earlier state of the draft'
              : 'ended'}
        </span>
      </h2>
      <p>{describeShadowResult(data.summary)}</p>
      <Button onClick={onShow}>Show the shadow run</Button>
    </section>
  );
}
