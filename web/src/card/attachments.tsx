/** Files of a card. They go to the bucket and come from it; the API only signs for them. */
import { useState } from 'preact/hooks';
import type { Attachment } from '../../../client/types.ts';
import { bytes } from '../state/format.ts';
import { tellError } from '../state/notices.ts';
import { useResource } from '../state/resource.ts';
import { api, may } from '../state/session.ts';
import { IconButton } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import type { TabProps } from './tabs.tsx';

export function Attachments({ card, changed }: TabProps) {
  const key = `${card.id} ${card.counts.attachments}`;
  const { value, error, reload } = useResource(key, async () => api().attachments.list(card.id));
  const [busy, setBusy] = useState(false);
  const upload = async (file: File): Promise<void> => {
    setBusy(true);
    try {
      await send(card.id, file);
      changed();
      reload();
    } catch (failure) {
      tellError(`${file.name} was not attached`, failure);
    } finally {
      setBusy(false);
    }
  };
  if (error !== null) return <Failed error={error} retry={reload} />;
  if (value === null) return <Loading what="files" />;
  return (
    <div class="stack">
      {value.items.length === 0 ? <p class="faint">No files</p> : null}
      <ul class="files">
        {value.items.map((file) => (
          <FileItem key={file.id} card={card.id} file={file} removed={reload} />
        ))}
      </ul>
      {may('member') ? (
        <label class="upload">
          <span>{busy ? 'Uploading…' : 'Attach a file'}</span>
          <input
            type="file"
            disabled={busy}
            onChange={({ currentTarget }) => {
              const [file] = currentTarget.files ?? [];
              if (file !== undefined) void upload(file);
            }}
          />
        </label>
      ) : null}
    </div>
  );
}

async function send(card: string, file: File): Promise<void> {
  const type = file.type === '' ? 'application/octet-stream' : file.type;
  const slot = await api().attachments.create(card, { name: file.name, content_type: type, size: file.size });
  const { upload_url } = slot;
  if (typeof upload_url !== 'string') return;
  // Its length is signed, and a browser sets it by itself.
  const signed = Object.entries(slot.upload_headers ?? {});
  const headers = Object.fromEntries(signed.filter(([name]) => name.toLowerCase() !== 'content-length'));
  const answer = await fetch(upload_url, { method: 'PUT', headers, body: file });
  if (!answer.ok) throw new Error(`The bucket answered ${answer.status}`);
}

interface FileItemProps {
  readonly card: string;
  readonly file: Attachment;
  readonly removed: () => void;
}

function FileItem({ card, file, removed }: FileItemProps) {
  return (
    <li>
      {typeof file.download_url !== 'string' ? (
        <span class="faint">{file.name} (not uploaded)</span>
      ) : (
        <a href={file.download_url} download={file.name} rel="noopener noreferrer">
          {file.name}
        </a>
      )}
      <span class="faint">{bytes(file.size)}</span>
      {may('member') ? (
        <IconButton
          icon="trash"
          name={`Remove ${file.name}`}
          onClick={() => {
            api()
              .attachments.delete(card, file.id)
              .then(removed, (error: unknown) => tellError(`${file.name} was not removed`, error));
          }}
        />
      ) : null}
    </li>
  );
}
