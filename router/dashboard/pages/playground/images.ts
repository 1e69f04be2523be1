/** Images for the data plane: data URIs that together fit into the body of a request. */
import type { Image } from './turns.ts';

export const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const;

const MEGABYTE = 1_000_000;
const IMAGE_BYTES_MAX = 8 * MEGABYTE;
/**
 * The limit of all images of a conversation: base64 adds a third, and a body has at most 32 MiB.
 */
const IMAGES_BYTES_MAX = 20 * MEGABYTE;

export type Taken = Readonly<{
  images: readonly Image[];
  /** Which file was refused, and why; null when all files were taken. */
  fault: string | null;
}>;

/**
 * Takes files up to the first that is refused. `held` is the bytes that the conversation has
 * already.
 */
export async function takeImages(files: readonly File[], held: number): Promise<Taken> {
  const images: Image[] = [];
  let bytes = held;
  for (const file of files) {
    const fault = faultOf(file, bytes);
    if (fault !== null) return { images, fault };
    const url = await dataUri(file);
    if (url === null)
      return { images, fault: `${file.name} could not be read. Choose another file.` };
    bytes += file.size;
    images.push({ name: file.name, url, bytes: file.size });
  }
  return { images, fault: null };
}

function faultOf({ name, type, size }: File, held: number): string | null {
  if (!IMAGE_TYPES.some((known) => known === type)) {
    return `${name} is not supported. Use PNG, JPEG, WebP or GIF images.`;
  }
  if (size > IMAGE_BYTES_MAX) return `${name} is larger than 8 MB. Choose a smaller image.`;
  if (held + size > IMAGES_BYTES_MAX)
    return 'The images of a conversation can have at most 20 MB in total.';
  return null;
}

function dataUri(file: File): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<string | null>();
  const reader = new FileReader();
  reader.addEventListener('load', () => resolve(reader.result as string));
  reader.addEventListener('error', () => resolve(null));
  reader.readAsDataURL(file);
  return promise;
}
