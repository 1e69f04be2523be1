/** The text of an answer as Markdown, whose code is loaded when the first answer is shown. */
import { Component, lazy, type ReactNode, Suspense } from 'react';
import { Inked } from './inked.tsx';
import type { TextBuffer } from './text-buffer.ts';

const loadMarkdown = () => import('./markdown/markdown.tsx');
const Markdown = lazy(loadMarkdown);

/** Loads the code for Markdown before the first answer arrives. */
export function preloadMarkdown(): void {
  // If it fails, the text is shown as it is.
  void loadMarkdown().catch(() => {});
}

type TextProps = Readonly<{
  text: TextBuffer;
  /** The whole text is code in this language; null for Markdown. */
  language: string | null;
  isEnded: boolean;
  /** Shows the text as the model wrote it. */
  isPlain: boolean;
  className: string;
}>;

export function AnswerText({ text, language, isEnded, isPlain, className }: TextProps) {
  const plain = <Inked text={text} className={className} />;
  if (isPlain) return plain;
  return (
    <OrPlain plain={plain}>
      <Suspense fallback={plain}>
        <Markdown text={text} language={language} isEnded={isEnded} className={className} />
      </Suspense>
    </OrPlain>
  );
}

/** Shows the plain text when the code for Markdown cannot be loaded, or fails. */
class OrPlain extends Component<Readonly<{ plain: ReactNode; children: ReactNode }>> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? this.props.plain : this.props.children;
  }
}
