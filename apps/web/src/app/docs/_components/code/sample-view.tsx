import { samples } from '#/app/docs/_content/samples/index.ts';
import { LANGUAGES, type Language, SAMPLE_URL } from '#/app/docs/_content/samples/languages.ts';
import { docsData } from '#/app/docs/docs-data.ts';
import { CodeText } from './code-block.tsx';
import { LanguageTabs } from './language-tabs.tsx';

/** A sample, with the address of this installation. */
export function SampleView({ name }: { name: keyof typeof samples }) {
  const { title } = samples[name];
  const panels = sampleCode(name).map(({ language, code }) => {
    return { language, code, drawn: <CodeText code={code} language={language} label={title} /> };
  });
  return <LanguageTabs label={title} panels={panels} />;
}

/** The code of a sample in each of its languages, with the address of this installation. */
export function sampleCode(name: keyof typeof samples): { readonly language: Language; readonly code: string }[] {
  const { base } = docsData();
  return LANGUAGES.flatMap((language) => {
    const code = samples[name].code[language]?.replaceAll(SAMPLE_URL, base).trimEnd();
    return code === undefined ? [] : [{ language, code }];
  });
}
