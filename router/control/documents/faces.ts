/** The fonts of documents, as files. */
import { fileURLToPath } from 'node:url';

type Face = Readonly<{ regular: string; bold: string }>;

/** The font of the dashboard: Latin, Greek and Cyrillic. */
export const INTER: Face = {
  regular: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  ),
  bold: fileURLToPath(
    import.meta.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  ),
};
/** For a text that Inter cannot show. */
export const MORE_SCRIPTS: Face = {
  regular: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf')),
  bold: fileURLToPath(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')),
};

/**
 * Inter would otherwise draw other characters than were written: a multiplication sign in `8x7b`, an
 * arrow for `->`. Figures have digits of one width. The types of the library lack this form.
 */
const features = (tnum: boolean) =>
  ({ calt: false, tnum }) as unknown as PDFKit.Mixins.OpenTypeFeatures[];
export const TEXT = { features: features(false) };
export const FIGURES = { features: features(true) };

/** A font as the library has loaded it. The types of the library leave it out. */
export type Font = Readonly<{
  hasGlyphForCodePoint: (codePoint: number) => boolean;
  layout: (text: string) => Readonly<{ direction: 'ltr' | 'rtl' }>;
}>;

export function hasCharacter(font: Font, character: string): boolean {
  return character === '\n' || font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
}
