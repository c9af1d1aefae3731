const app = document.getElementById("app");

function show(exhibit) {
  const heading = document.createElement("h1");
  heading.textContent = exhibit.title;
  const paragraphs = exhibit.paragraphs.map((text) => {
    const paragraph = document.createElement("p");
    paragraph.textContent = text;
    return paragraph;
  });
  app.replaceChildren(heading, ...paragraphs);
}

fetch(app.dataset.source).then((answer) => answer.json()).then(show);
