"use strict";
// Everything is there without this script; it shows numbers where one points, sorts tables and finds profiles.
(() => {
  const all = (what, where = document) => [...where.querySelectorAll(what)];

  const tip = document.getElementById("tip");
  const said = (target) => {
    const cell = target.closest("table.heat td");
    if (cell) {
      const column = all("thead th", cell.closest("table"))[cell.cellIndex];
      return `${cell.parentNode.cells[0].textContent} → ${column.textContent}: ${cell.textContent}`;
    }
    return "";
  };
  const place = (event) => {
    tip.textContent = said(event.target);
    tip.hidden = !tip.textContent;
    if (tip.hidden) return;
    const { offsetWidth: width, offsetHeight: height } = tip;
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 12, innerWidth - width - 4))}px`;
    tip.style.top = `${event.clientY + 16 + height > innerHeight ? event.clientY - height - 8 : event.clientY + 16}px`;
  };
  addEventListener("pointermove", place);
  addEventListener("pointerdown", place);
  addEventListener("scroll", () => { tip.hidden = true; }, true);

  const before = (a, b) => {
    const [p, q] = [a, b].map((cell) => cell.dataset.n === undefined ? null : Number(cell.dataset.n));
    if (p !== null && q !== null) return p < q ? -1 : p > q ? 1 : 0;
    return p !== null ? -1 : q !== null ? 1 : a.textContent.localeCompare(b.textContent);
  };
  for (const table of all("table:not(.heat)")) {
    const body = table.tBodies[0];
    if (body.rows.length < 3) continue;
    all("thead th", table).forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...heading.childNodes);
      heading.append(button);
      button.addEventListener("click", () => {
        const down = heading.getAttribute("aria-sort") === "ascending";
        const rows = [...body.rows].sort((a, b) => before(a.cells[column], b.cells[column]));
        body.append(...(down ? rows.reverse() : rows));
        for (const other of all("[aria-sort]", table)) other.removeAttribute("aria-sort");
        heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      });
    });
  }

  const filter = document.getElementById("filter");
  if (filter) {
    filter.closest(".filter").hidden = false;
    const parts = all("[data-p]"), pages = all("details.pages"), opened = pages.map((page) => page.open);
    filter.addEventListener("input", () => {
      const wanted = filter.value.trim().toLowerCase();
      let shown = 0;
      for (const part of parts) {
        part.toggleAttribute("hidden", !part.dataset.p.toLowerCase().includes(wanted));
        shown += !part.hidden;
      }
      pages.forEach((page, i) => {
        const has = all("[data-p]:not([hidden])", page).length > 0;
        page.hidden = !has;
        page.open = wanted ? has : opened[i];
      });
      const found = document.getElementById("found");
      found.textContent = wanted ? found.dataset.words.replace("#", shown).replace("@", parts.length) : "";
    });
  }

  // On paper nothing can be unfolded: tables are, but not page after page of profiles, nor what no sheet is wide for.
  const wide = (one) => all("table", one).some((table) => table.offsetWidth > 900);
  let folded = [];
  addEventListener("beforeprint", () => {
    folded = all("details:not(.pages):not([open])").filter((one) => !one.closest(".sheet") && !one.closest("details.pages:not([open])"));
    for (const one of folded) {
      one.open = true;
      one.open = !wide(one);
    }
  });
  addEventListener("afterprint", () => { for (const one of folded) one.open = false; });
})();
