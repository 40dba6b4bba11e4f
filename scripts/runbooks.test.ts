import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { IncidentKind } from '@switchyard/db/client';
import { expect, it } from 'vitest';
import { thisProject } from './stack/project.ts';

const read = (path: string) => readFileSync(join(thisProject().root, path), 'utf8');
const matches = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] ?? '');
const anchors = matches(read('docs/runbooks.md'), /<a id="([a-z-]+)"><\/a>/g);

it('has a section for every kind of incident and every alert of Prometheus, and for nothing else', () => {
  const incidents = Object.values(IncidentKind).map((kind) => kind.replaceAll('_', '-'));
  const rules = matches(read('deploy/prometheus/alerts.yaml'), /runbook_url: docs\/runbooks\.md#([a-z-]+)/g);
  expect(anchors).toHaveLength(new Set(anchors).size);
  expect(anchors.toSorted()).toEqual([...new Set([...incidents, ...rules])].sort());
  expect(matches(read('deploy/prometheus/alerts.yaml'), /- alert: (\w+)/g)).toHaveLength(rules.length);
});
