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
