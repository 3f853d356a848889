// The comment at the current move, to read and to write.
import { useValue } from "../base/value";
import { doc } from "../control/app";
import { t } from "../i18n/text";

export function CommentBox(): preact.JSX.Element {
  const node = useValue(doc.current);
  useValue(doc.revision);
  return (
    <label class="comment">
      <span>{t("comment")}</span>
      <textarea
        name="comment"
        rows={3}
        value={node.comment}
        onInput={(event) => {
          node.comment = event.currentTarget.value;
          doc.changed();
        }}
      />
    </label>
  );
}
