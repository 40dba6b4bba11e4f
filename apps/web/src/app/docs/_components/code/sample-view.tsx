import { samples } from '#/app/docs/_content/samples/index.ts';
import { LANGUAGES, SAMPLE_URL } from '#/app/docs/_content/samples/languages.ts';
import { docsData } from '#/app/docs/docs-data.ts';
import { CodeText } from './code-block.tsx';
import { LanguageTabs } from './language-tabs.tsx';

/** A sample, with the address of this installation. */
export function SampleView({ name }: { name: keyof typeof samples }) {
  const sample = samples[name];
  const { base } = docsData();
  const panels = LANGUAGES.flatMap((language) => {
    const code = sample.code[language]?.replaceAll(SAMPLE_URL, base).trimEnd();
    if (code === undefined) return [];
    return [{ language, code, drawn: <CodeText code={code} language={language} label={sample.title} /> }];
  });
  return <LanguageTabs label={sample.title} panels={panels} />;
}
