import { X } from 'lucide-react';
import type { Image } from './turns.ts';

type AttachmentsProps = Readonly<{
  images: readonly Image[];
  onRemove?: (index: number) => void;
}>;

/** Thumbnails of the images of a message. */
export function Attachments({ images, onRemove }: AttachmentsProps) {
  if (images.length === 0) return null;
  return (
    <ul aria-label="Images" className="flex flex-wrap gap-2">
      {images.map(({ name, url }, index) => (
        // The same image may be attached twice.
        // oxlint-disable-next-line react/no-array-index-key
        <li key={index} className="relative">
          <img src={url} alt={name} className="size-16 rounded-md border object-cover" />
          {onRemove && (
            <button
              type="button"
              aria-label={`Remove ${name}`}
              onClick={() => onRemove(index)}
              className="absolute -top-1.5 -right-1.5 rounded-full border border-line-strong bg-panel p-0.5 text-muted hover:text-ink [&_svg]:size-3"
            >
              <X />
            </button>
          )}
        </li>
      ))}
    </ul>
  );
}
